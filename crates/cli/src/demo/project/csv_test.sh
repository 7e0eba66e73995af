# The tests of src/csv.sh: a name, what is expected, and the fields.
. ./src/csv.sh
failed=0
check() {
  name=$1 expected=$2
  shift 2
  got=$(csv_row "$@")
  [ "$got" = "$expected" ] && return
  failed=$((failed + 1))
  echo "FAIL $name: expected $expected got $got"
}
check plain_fields 'a,b' a b
check quotes_commas '"a,b",c' 'a,b' c
[ $failed = 0 ]
