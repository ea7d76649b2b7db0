//! Protos, artifacts and arrays that are rare, broken or hostile; the target `conformance` reads those that JAX wrote.

mod artifact;

mod export;

mod export_hostile;

mod flat;

mod proto;

mod ravel;

mod suites;
