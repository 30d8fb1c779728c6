//! What the results of games prove. Numbers in, numbers out: it must not know
//! players, boards or files.
