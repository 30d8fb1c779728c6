//! Games from their text to everything that is made of them.

mod hostile;
mod keeping;
mod pages;
mod shown;
mod told;
mod work;
