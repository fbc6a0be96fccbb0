/** The last page of a list that may be asked for, counted from 0. */
export const lastPage = 1_000_000
