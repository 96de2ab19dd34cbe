#!/usr/bin/env bash
# Checks that shell scripts pass shellcheck, that the action and the workflow pass yamllint and the action's steps shellcheck, and that the test
# chart and the picture of a job are what their scripts draw; 77 where shellcheck or yamllint is missing.
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
shellcheck --shell=bash .ci/*.sh .ci/run pipelines/*.sh tests/*.sh tests/tools/*.sh
# Tests of tools: words are split on purpose ($r, *.vpk), files have plain names, functions come from volview_serve.sh.
find tests/tools -mindepth 2 -name '*.sh' -print0 | xargs -0 shellcheck --shell=bash --enable=check-set-e-suppressed \
    --exclude=SC1091,SC2002,SC2010,SC2012,SC2016,SC2034,SC2035,SC2046,SC2048,SC2086,SC2154,SC2164,SC2210,SC2231
shellcheck --shell=sh cmake/*.sh
shellcheck --shell=bash cmake/*.bash

if ! command -v yamllint >/dev/null; then
    echo "skipped: yamllint is not installed; scripts, chart and job were checked"
    exit 77
fi
yamllint --strict -d '{extends: default, rules: {line-length: {max: 150}, document-start: disable}}' pipelines/github
PYTHONDONTWRITEBYTECODE=1 python3 .ci/write_action_steps.py pipelines/github/action.yml "$scratch"
shellcheck --shell=bash "$scratch"/step*.sh
