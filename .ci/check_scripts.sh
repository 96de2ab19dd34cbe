#!/usr/bin/env bash
# Checks that shell scripts pass shellcheck and that the test chart and the picture of a job are what their scripts draw; 77 where shellcheck is missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
PYTHONDONTWRITEBYTECODE=1 python3 pipelines/draw_chart.py "$scratch/chart.png"
cmp "$scratch/chart.png" pipelines/data/chart.png
PYTHONDONTWRITEBYTECODE=1 python3 pipelines/draw_job_orientation.py "$scratch/job.png"
cmp "$scratch/job.png" docs/pictures/job-orientation.png

if ! command -v shellcheck >/dev/null; then
    echo "skipped: shellcheck is not installed; chart and job are as drawn"
    exit 77
fi
shellcheck --shell=bash .ci/* pipelines/*.sh tests/*.sh tests/tools/*.sh
shellcheck --shell=sh cmake/*.sh
