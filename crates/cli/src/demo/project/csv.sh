# Prints its arguments as one line of CSV.
csv_row() {
  row=
  for field; do
    row=$row${row:+,}$field
  done
  printf '%s\n' "$row"
}
