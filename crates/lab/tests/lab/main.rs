//! Whole runs on a miniature scale: what they leave behind, that nothing which
//! happens on the way changes it, and what is said when something is wrong.

mod ends;
mod extension;
mod miniature;
mod mistakes;
mod outputs;
mod resumption;
mod selection;
mod sequence;
mod study;
mod toy;
mod treestrap;
mod variants;
mod zero;
