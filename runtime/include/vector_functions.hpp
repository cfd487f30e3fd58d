// The other name of vector_functions.h.
#ifndef __VECTOR_FUNCTIONS_HPP__
#define __VECTOR_FUNCTIONS_HPP__

#include "vector_functions.h"

#endif
