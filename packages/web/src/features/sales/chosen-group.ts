interface Category {
  id: string
}
interface Group {
  id: string
  categoryId: string
}

/** Else the first one of the first category that has any; `none` is the welcome page, which leads to that one. */
export function chosenGroup<G extends Group>(
  asked: string | null,
  categories: readonly Category[],
  groups: readonly G[],
) {
  const first = categories.flatMap((category) => groups.filter((group) => group.categoryId === category.id))[0]
  const group = asked === 'none' ? undefined : (groups.find(({ id }) => id === asked) ?? first)
  return { group, first }
}
