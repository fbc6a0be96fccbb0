interface Category {
  id: string
}
interface Group {
  id: string
  categoryId: string
}

/** The one in the address, else the first of the first category with any; `none` is the welcome page. */
export function chosenGroup<G extends Group>(
  asked: string | null,
  categories: readonly Category[],
  groups: readonly G[],
) {
  const first = categories.flatMap((category) => groups.filter((group) => group.categoryId === category.id))[0]
  const group = asked === 'none' ? undefined : (groups.find(({ id }) => id === asked) ?? first)
  return { group, first }
}
