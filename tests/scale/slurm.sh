# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
#
# A Slurm cluster for a test: controller and node run on this machine, as this user, in this folder.

slurm_start() { # CPUS: CPUs of the node
    local here=$PWD name
    name=$(hostname -s)
    mkdir slurm slurm/state slurm/spool
    (umask 077 && head -c 1024 /dev/urandom >slurm/munge.key)
    /usr/sbin/munged --force --socket="$here/slurm/munge.socket" --key-file="$here/slurm/munge.key" \
        --pid-file="$here/slurm/munged.pid" --log-file="$here/slurm/munged.log" --seed-file="$here/slurm/munged.seed"
    cat >slurm/slurm.conf <<END
ClusterName=test
SlurmctldHost=$name(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$here/slurm/munge.socket
SlurmctldPort=$((20000 + $$ % 20000))
SlurmdPort=$((20001 + $$ % 20000))
StateSaveLocation=$here/slurm/state
SlurmdSpoolDir=$here/slurm/spool
SlurmctldPidFile=$here/slurm/slurmctld.pid
SlurmdPidFile=$here/slurm/slurmd.pid
SlurmctldLogFile=$here/slurm/slurmctld.log
SlurmdLogFile=$here/slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
MpiDefault=none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SlurmdParameters=config_overrides
NodeName=$name NodeAddr=127.0.0.1 CPUs=$1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    export SLURM_CONF=$here/slurm/slurm.conf
    /usr/sbin/slurmctld -c
    /usr/sbin/slurmd -c
    for _ in $(seq 60); do
        if sinfo -h -o %T | grep '^idle$' >/dev/null; then return; fi
        sleep 0.5
    done
    tail slurm/*.log >&2
    return 1
}

slurm_stop() {
    local name
    for name in slurmd slurmctld munged; do
        if [ -s slurm/$name.pid ]; then kill "$(cat slurm/$name.pid)"; fi
    done
    # Wait until they have ended: until then they write to the folder.
    for name in slurmd slurmctld munged; do
        if [ -s slurm/$name.pid ]; then timeout 20 tail --pid="$(cat slurm/$name.pid)" -f /dev/null; fi
    done 2>/dev/null
}
