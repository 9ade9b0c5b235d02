#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Describes the flight data and a column of the weather data. Usage: demo.sh PATH_TO_DESCRIBE
set -eu
if [ $# -ne 1 ]; then
  echo "usage: $0 PATH_TO_DESCRIBE" >&2
  exit 2
fi
data=$(dirname "$0")/../data
exec "$1" "$data/flights/delay.npy" "$data/flights/distance.npy" "$data/flights/time.npy" \
  "$data/seattle-weather.csv" --column temp_max
