#!/usr/bin/env bash
# Runs a real Slurm of one node on loopback, and a render in it whose tasks are requeued, signalled and cancelled; works in the current folder.
#
# The merged film must be the one that a single thread renders, byte for byte. Skipped (77) where Slurm or munge are not installed, where there
# is no loopback, and for users without a name; whatever else keeps a daemon from starting is a failure. The daemons end with the test:
# by the trap, or, should the test be killed, after two minutes.
set -euo pipefail

here=$(cd -P "$(dirname "${BASH_SOURCE[0]}")/../../pipelines" && pwd)
work=$PWD
PATH=$PATH:/usr/sbin:/sbin
skip() {
    echo "skipped: $*"
    exit 77
}
for tool in slurmctld slurmd sbatch scontrol scancel squeue munged munge; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done
user=$(id -un 2>/dev/null) || skip "user $(id -u) has no name, which Slurm needs"
ports=$(python3 -c 'import socket
sockets = [socket.socket() for _ in range(2)]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in sockets))') || skip "nothing can listen on 127.0.0.1"
read -r controller_port node_port <<<"$ports"

# Short and plain, for the socket's sake.
folder=$(TMPDIR="" mktemp -d)
daemons=()
finish() {
    local status=$? daemon
    set +e
    if [[ $status -ne 0 ]]; then tail -n 40 "$folder"/*.log "$work"/film.vpf.parts/log/*.log; fi
    timeout 5 scancel --user "$user" --full --signal=KILL
    timeout 5 scancel --user "$user"
    # The node after its jobs, which end within KillWait; then whoever is left.
    for _ in {1..50}; do
        [[ -n $(timeout 5 squeue -h 2>/dev/null) ]] || break
        sleep 0.1
    done
    for daemon in $(printf '%s\n' "${daemons[@]}" | tac); do kill "$daemon" 2>/dev/null; done
    wait
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 143' TERM INT

# start NAME COMMAND...: a daemon in the foreground of a timeout, its output in NAME.log.
start() {
    timeout -k 5 120 "${@:2}" >>"$folder/$1.log" 2>&1 &
    daemons+=($!)
}
# await SECONDS WHAT CONDITION...: until the condition holds; a failure, with WHAT, if it does not.
await() {
    local limit=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        if [[ $SECONDS -ge $limit ]]; then
            echo "slurm_test: $what" >&2
            exit 1
        fi
        sleep 0.05
    done
}

head -c 128 /dev/urandom >"$folder/munge.key"
chmod 600 "$folder/munge.key"
mkdir "$folder/state" "$folder/spool"
cat >"$folder/slurm.conf" <<EOF
ClusterName=volpt
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$controller_port
SlurmdPort=$node_port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
# How long a requeued job waits; Slurm takes no less.
AuthInfo=socket=$folder/munge.socket,cred_expire=5
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
SlurmdParameters=config_overrides
KillWait=10
NodeName=loopback NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=main Nodes=loopback Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$folder/slurm.conf
start munged munged --foreground --force --num-threads=2 --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
    --pid-file="$folder/munged.pid" --log-file="$folder/munged.log" --seed-file="$folder/munged.seed"
await 10 'munged does not answer' munge --no-input --socket "$folder/munge.socket"
start slurmctld slurmctld -D
start slurmd slurmd -D -N loopback
is_idle() { [[ $(timeout 5 sinfo -h -o %T) == idle ]]; }
await 20 'the node does not become idle' is_idle

# As many samples as one thread renders in about sixteen seconds, whatever the build: eight tasks of two seconds, because the rate is measured low where others compute at the time.
volprep --make cube --dims 1,1,1 --size 1mm --sigma-t 20 --albedo 0.99 -o cube.vpk -q >/dev/null
view=(cube.vpk --resolution 64x64 -j 1 --device cpu --reproducible -q)
rate=$(volrender "${view[@]}" --spp 1000000 --time-limit 0.5 -o rate.vpf | sed -n 's/^paths: //p')
samples=$((rate * 32 / 4096 + 8))
volrender "${view[@]}" --samples "32:$samples" -o whole.vpf >/dev/null &
whole=$!
bash "$here/slurm_render.sh" "${view[@]}" --samples "32:$samples" -o film.vpf --tasks 8 --sbatch '--time=2 --ntasks=1' | tee answer
array=$(sed -n 's/^array_job: //p' answer) merge=$(sed -n 's/^merge_job: //p' answer)

# One task requeued by the scheduler, one told to stop like a preempted or timed-out one, one cancelled for good: each in the middle. A
# task that was faster than its signal is let go, and the next one is taken.
has_begun() { [[ $(squeue -h -o %T -j "${array}_$task") != PENDING ]]; }
renders_or_ended() { pgrep -f "^volrender .* -o [^ ]*film.vpf.parts/0000$task.vpf" || has_ended; }
has_ended() { [[ $(squeue -h -o %T -j "${array}_$task" 2>/dev/null) != @(RUNNING|COMPLETING) ]]; }
was_stopped() { grep -q "task $task: stopped at" "film.vpf.parts/log/$task.log"; }
# stop_task KIND JOB; scancel tries again for a job that has left the node by then, which must not hit its next run.
stop_task() {
    case $1 in
        0) scontrol requeue "$2" ;;
        1) timeout 2 scancel --signal=TERM --batch "$2" & ;;
        2) scancel "$2" ;;
    esac
}
hit=()
for task in {0..7}; do
    if [[ ${#hit[@]} -eq 3 ]]; then break; fi
    await 60 "task $task does not start" has_begun
    # The batch shell of a job that has begun may not have set its trap yet: a signal would end it, and its film would be missing.
    await 60 "task $task does not render" renders_or_ended
    sleep 0.1
    stop_task ${#hit[@]} "${array}_$task" || continue
    await 30 "task $task does not stop" has_ended
    for _ in {1..5}; do
        if was_stopped; then break; fi
        sleep 0.1
    done
    if was_stopped; then hit+=("$task"); fi
done
echo "stopped in the middle: ${hit[*]}"
[[ ${#hit[@]} -eq 3 ]]

has_merged() { [[ -z $(squeue -h -j "$merge" 2>/dev/null) ]]; }
await 90 'the merge does not end' has_merged
cat film.vpf.parts/log/merge.log
[[ ! -e film.vpf ]]
grep -qx "missing_tasks: ${hit[2]}" film.vpf.parts/log/merge.log
grep -q "continue where they stopped: ${hit[2]}" film.vpf.parts/log/merge.log

bash "$here/slurm_render.sh" --missing film.vpf.parts --wait | tee answer
grep -qx "tasks: ${hit[2]}" answer
wait "$whole"
cmp film.vpf whole.vpf
echo "slurm_test: 8 tasks, ${#hit[@]} stopped, one film"
