/** Cells that many lists of the administration share. */
import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { Chip } from '../../../ui/Chip'
import { Button } from '../../../ui/Button'
import { RowActions } from '../../../ui/Table'

/** 启用 or 停用. */
export function ActiveChip({ active }: { active: boolean }) {
  return <Chip tone={active ? 'success' : 'neutral'}>{active ? labels.isActive : '停用'}</Chip>
}

/** 编辑 and 删除 of a row, named for whoever does not see the row. */
export function EditDelete({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  return (
    <RowActions>
      <Button tone="quiet" size="sm" aria-label={`编辑 ${name}`} onClick={onEdit}>
        {verbs.edit}
      </Button>
      <Button tone="quiet" size="sm" aria-label={`删除 ${name}`} onClick={onDelete}>
        {verbs.remove}
      </Button>
    </RowActions>
  )
}

/** Where a group is: region, country, city, without what nobody filled in. */
export const placeText = (group: { region: string | null; country: string | null; city: string | null }) =>
  [group.region, group.country, group.city].filter(Boolean).join(' · ')
