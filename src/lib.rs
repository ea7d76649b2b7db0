//! Pytrees without a heap.
#![no_std]
