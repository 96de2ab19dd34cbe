// All of the library: volumes, films, rendering, verdicts.
#pragma once

#include "volpt/compare.h"
#include "volpt/error.h"
#include "volpt/film.h"
#include "volpt/render.h"
#include "volpt/version.h"
#include "volpt/volume.h"
