//! Tests protos, artifacts and arrays that are rare, broken or hostile. The target `conformance` tests those that JAX
//! wrote.

mod artifact;

mod export;

mod export_hostile;

mod flat;

mod proto;

mod ravel;

mod suites;
