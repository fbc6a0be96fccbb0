import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { Plus } from 'lucide-react'
import { Chip } from '../../../ui/Chip'
import { Button } from '../../../ui/Button'

/** 启用 or 停用. */
export function ActiveChip({ active }: { active: boolean }) {
  return <Chip tone={active ? 'success' : 'neutral'}>{active ? labels.isActive : verbs.disable}</Chip>
}

/** Named for whoever does not see the row. */
export function EditDelete({ name, onEdit, onDelete }: { name: string; onEdit: () => void; onDelete: () => void }) {
  return (
    <>
      <Button tone="quiet" size="sm" aria-label={`编辑 ${name}`} onClick={onEdit}>
        {verbs.edit}
      </Button>
      <Button tone="quiet" size="sm" aria-label={`删除 ${name}`} onClick={onDelete}>
        {verbs.remove}
      </Button>
    </>
  )
}

/** Without what nobody filled in. */
export const placeText = (group: { region: string | null; country: string | null; city: string | null }) =>
  [group.region, group.country, group.city].filter(Boolean).join(' · ')

/** A list's one primary act. */
export function CreateButton({ label = verbs.create, onClick }: { label?: string; onClick: () => void }) {
  return (
    <Button tone="primary" icon={<Plus size={16} strokeWidth={1.75} aria-hidden />} onClick={onClick}>
      {label}
    </Button>
  )
}
