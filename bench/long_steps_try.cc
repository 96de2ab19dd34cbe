#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/core/long_steps.hd.h"
#include "tests/statistical/ink_slabs.h"
#include <chrono>
#include <cstdio>
using namespace volpt; using namespace volpt::test;
using Clock=std::chrono::steady_clock; static double secs(Clock::time_point a){return std::chrono::duration<double>(Clock::now()-a).count();}
int main(){
  int levels=9; unsigned log2=16; float g=0.4f;
  std::vector<Outcome> bank(size_t(levels)<<log2);
  BankView v{bank.data(),log2,levels};
  for(int l=0;l<levels;++l){ auto t=Clock::now(); double n=0, c=0,c2=0,mu=0;
    for(unsigned i=0;i<(1u<<log2);++i){ Outcome o=make_outcome(v,l,g,seed_rng(1,i,unsigned(l),77)); bank[(size_t(l)<<log2)+i]=o; auto e=decode_exit(o); n+=e.collisions; c+=e.place; c2+=e.place*e.place; mu+=e.normal;}
    double k=double(1u<<log2); printf("level %d: %.2f s, n %.2f place %.4f normal %.4f\n",l,secs(t),n/k,c/k,mu/k);}
  for(int band=0;band<3;++band){
    PackedVolume const volume = make_white_band(unsigned(band), Albedo::own);
    Scene scene = make_probe(volume, 1, 1); scene.boundary.sides=Sides::periodic;
    RenderScene const built(scene, volume, nullptr, 11);
    SceneView view = built.view();
    view.medium.extinction=Extinction::bare; view.medium.grid=MajorantGrid::global; view.medium.albedo=Source::constant; view.medium.anisotropy=Source::constant;
    view.medium.g=g; view.medium.constant_one_minus_albedo[0]=kInks[4].material.one_minus_albedo[size_t(band)];
    view.long_steps.on=1; view.long_steps.pitch_mm={400,400,10}; view.long_steps.beyond_mm={1e30f,1e30f,0}; view.long_steps.bank=v;
    using M=Medium<1,Extinction::bare,MajorantGrid::global>;
    for(int least=0;least<6;++least){ view.long_steps.least_level=least;
    double sum=0,sq=0; double plain=0,longs=0,n=0; unsigned N=400000; auto t=Clock::now();
    for(unsigned s=0;s<N;++s){ auto path=start_path<1>(view,{0,0,s,0,0}); PathCounts counts; float col=0;
      while(path.stage!=Stage::ended){ if(path.stage==Stage::inside && take_long_step<M>(view,path,col)){longs++; n+=col; }
        else extend_path<M>(view,path,counts);} plain+=double(counts.tentative_collisions); double w=path.throughput[0]; sum+=w; sq+=w*w; }
    double m=sum/N; printf("band %d least %d: R %.5f +- %.5f plain %.2f long %.2f collisions %.1f, %.3f M paths/s\n",band,least,m,std::sqrt((sq/N-m*m)/N),plain/N,longs/N,(n+plain)/N,N/secs(t)/1e6);}
  }
}
