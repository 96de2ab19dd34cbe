#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/core/make_outcome.hd.h"
#include "tests/statistical/ink_slabs.h"
#include <chrono>
#include <cstdio>
using namespace volpt; using namespace volpt::test;
using Clock=std::chrono::steady_clock; static double secs(Clock::time_point a){return std::chrono::duration<double>(Clock::now()-a).count();}
int main(int argc,char**argv){ unsigned bno=argc>1?unsigned(atoi(argv[1])):77u;
  int levels=40; unsigned log2=14; float g=0.4f;
  std::vector<Outcome> bank(size_t(levels)<<log2);
  BankView v{bank.data(),log2,levels};
  for(int l=0;l<levels;++l){ auto t=Clock::now(); double n=0, c=0,c2=0,mu=0;
    for(unsigned i=0;i<(1u<<log2);++i){ Outcome o=make_outcome(v,l,i,g,seed_rng(1,i,unsigned(l),bno)); bank[(size_t(l)<<log2)+i]=o; auto e=decode_exit(o); n+=e.collisions; c+=e.place; c2+=e.place*e.place; mu+=e.normal;}
    double k=double(1u<<log2); if(l%4==0)printf("level %d: %.2f s, n %.2f place %.4f normal %.4f\n",l,secs(t),n/k,c/k,mu/k);}
  for(double thick : {10.0, 100.0}) for(int band=0;band<3;++band) for(int on=0;on<2;++on){
    if(thick>50 && !on && band>0) continue;
    Material const& white = kInks[4].material;
    PackedVolume const volume = make_slab(400, thick, {unsigned(band)}, {"W",{white.sigma_t[size_t(band)]},{white.one_minus_albedo[size_t(band)]},white.g});
    Scene scene = make_probe(volume, 64, 64); scene.boundary.sides=Sides::periodic;
    RenderScene const built(scene, volume, nullptr, 11);
    SceneView view = built.view();
    view.medium.extinction=Extinction::bare; view.medium.grid=MajorantGrid::global; view.medium.albedo=Source::constant; view.medium.anisotropy=Source::constant;
    view.medium.g=g; view.medium.constant_one_minus_albedo[0]=white.one_minus_albedo[size_t(band)];
    view.long_steps.on=unsigned(on); view.long_steps.pitch_mm={400,400,float(thick)}; view.long_steps.beyond_mm={1e30f,1e30f,0}; view.long_steps.wraps={1,1,0}; view.long_steps.bank=v;
    std::vector<std::uint64_t> sums(4096), sq(4096); PathCounts counts; auto t=Clock::now(); unsigned spp= on?128:32;
    list_cpu_backends().front().render(view, {0,0,64,64,0,spp}, {sums.data(),sq.data()}, counts, {});
    double sec=secs(t), m=0; for(auto x: sums) m+=double(x); m=std::ldexp(m,-built.sum_log2())/4096/spp;
    printf("thick %.0f band %d long %d: R %.5f, %.3f M paths/s, long %.2f plain %.2f stepped %.1f a path\n",thick,band,on,m,double(counts.paths)/sec/1e6,double(counts.long_steps)/double(counts.paths),double(counts.tentative_collisions)/double(counts.paths),double(counts.stepped_collisions)/double(counts.paths));
  }
}
