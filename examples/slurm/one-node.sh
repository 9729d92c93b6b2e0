#!/bin/sh
# A Slurm of this machine alone, for as long as a command runs: to try job scripts where there is no cluster.
#
#   examples/slurm/one-node.sh sbatch --wait examples/slurm/match.sbatch
#
# Needs Debian's slurmctld, slurmd, slurm-client and munge, and root (or the user that owns nothing else here: all daemons run as whoever calls
# this, in a folder of their own, on ports 16817 and 16818). Neither systemd nor anything in /etc is touched.
set -eu
[ $# -gt 0 ] || { echo "usage: $0 COMMAND [ARGUMENT...]" >&2; exit 2; }
for tool in munged slurmctld slurmd srun; do
    command -v "$tool" >/dev/null || { echo "$0: $tool is missing (apt-get install slurmctld slurmd slurm-client munge)" >&2; exit 77; }
done
place=$(mktemp -d /tmp/slurm.XXXXXX)
host=$(hostname -s)
cores=$(nproc)
pids=

stop()
{
    # The last first: who speaks to another ends before it. One that does not end in five seconds is ended.
    for pid in $pids; do
        kill "$pid" 2>/dev/null || continue
        tries=0
        while kill -0 "$pid" 2>/dev/null && [ $tries -lt 50 ]; do tries=$((tries + 1)); sleep 0.1; done
        kill -9 "$pid" 2>/dev/null || true
    done
    rm -rf "$place"
}
trap stop EXIT
trap 'exit 143' INT TERM

chmod 755 "$place"
mkdir -m 700 "$place/state" "$place/spool"
mkdir -m 755 "$place/munge"
head -c 1024 /dev/urandom >"$place/key"
chmod 400 "$place/key"
munged --foreground --force --socket="$place/munge/socket" --key-file="$place/key" --pid-file="$place/munge/pid" \
    --log-file="$place/munge.log" --seed-file="$place/seed" --num-threads=2 >/dev/null 2>&1 &
pids="$! $pids"

cat >"$place/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=16817
SlurmdPort=16818
AuthType=auth/munge
AuthInfo=socket=$place/munge/socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
ReturnToService=2
SchedulerParameters=sched_interval=1,batch_sched_delay=0
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES:4
END
export SLURM_CONF="$place/slurm.conf"
waits=0
until [ -S "$place/munge/socket" ]; do
    waits=$((waits + 1)); [ $waits -lt 300 ] || { cat "$place/munge.log" >&2; exit 1; }
    sleep 0.1
done
slurmctld -D -i >/dev/null 2>&1 &
pids="$! $pids"
slurmd -D -N "$host" >/dev/null 2>&1 &
pids="$! $pids"
until sinfo -h -o %t 2>/dev/null | grep -q idle; do
    waits=$((waits + 1)); [ $waits -lt 900 ] || { tail -5 "$place"/slurm*.log >&2; echo "$0: Slurm did not start" >&2; exit 1; }
    sleep 0.1
done
"$@"
