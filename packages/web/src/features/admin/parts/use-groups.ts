import { trpc } from '../../../api/trpc'
import type { Option } from '../../../ui/Select'

/** Every server group as a choice, named with its category. */
export function useGroupOptions(): Option[] {
  const groups = trpc.catalogue.groups.useQuery({ page: 0, size: 1000 })
  return (groups.data?.content ?? []).map(({ id, name, categoryName }) => ({
    value: id,
    text: `${categoryName} / ${name}`,
  }))
}
