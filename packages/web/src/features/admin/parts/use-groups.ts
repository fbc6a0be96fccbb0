import type { Page } from '@vps/shared/page'
import { trpc } from '../../../api/trpc'
import type { Option } from '../../../ui/Select'
import type { AdminGroup } from './rows'

export const allGroups = '全部分组'

/** Named with its category. */
export const useGroupOptions = (): Option[] => useGroups().data ?? []

export function useGroups(): { data: Option[] | undefined; isError: boolean } {
  return trpc.catalogue.groups.useQuery({ page: 0, size: 1000 }, { select: optionsOf })
}

const optionsOf = ({ content }: Pick<Page<AdminGroup>, 'content'>): Option[] =>
  content.map(({ id, name, categoryName }) => ({ value: id, text: `${categoryName} / ${name}` }))
