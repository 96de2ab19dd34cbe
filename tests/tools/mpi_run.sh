#!/usr/bin/env bash
# Starts N ranks of a command on this machine, more than it has cores if need be: mpi_run.sh N COMMAND.. (exit status 77 without mpirun).
set -euo pipefail
command -v mpirun >/dev/null || { echo "skipped: mpirun is missing (Debian package openmpi-bin)"; exit 77; }
export OMPI_MCA_plm=isolated OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
exec mpirun --oversubscribe --bind-to none -n "$1" "${@:2}"
