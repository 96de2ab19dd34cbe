// All of the library: volumes, films, rendering, verdicts, programs.
#pragma once

#include "volpt/caller_words.h"
#include "volpt/compare.h"
#include "volpt/error.h"
#include "volpt/film.h"
#include "volpt/info.h"
#include "volpt/merge.h"
#include "volpt/program.h"
#include "volpt/render.h"
#include "volpt/version.h"
#include "volpt/volume.h"
