import * as labels from '@vps/shared/labels'
import type { Category, ServerGroup } from '@vps/shared/catalogue.contract'
import { ChevronRight, LayoutGrid } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { color, font, media, motion, radius } from '../../theme/tokens'
import { Select } from '../../ui/Select'

/** On narrow screens one select. */
export function CategoryRail({
  categories,
  groups,
  chosen,
  onChoose,
}: {
  categories: Category[]
  groups: ServerGroup[]
  chosen: string | null
  onChoose: (groupId: string | null) => void
}) {
  const ofCategory = (id: string) => groups.filter((group) => group.categoryId === id)
  const chosenCategory = groups.find((group) => group.id === chosen)?.categoryId
  const [open, setOpen] = useState(() => new Set([chosenCategory ?? categories[0]?.id]))

  function toggle(id: string) {
    const next = new Set(open)
    if (!next.delete(id)) next.add(id)
    setOpen(next)
  }

  const choices = categories.flatMap((category) =>
    ofCategory(category.id).map((group) => {
      const label = `${category.name} / ${group.name}`
      return { value: group.id, text: label }
    }),
  )

  return (
    <>
      <Rail aria-label="产品分类">
        <Entry type="button" aria-current={chosen === null ? 'true' : undefined} onClick={() => onChoose(null)}>
          <LayoutGrid size={16} strokeWidth={1.75} aria-hidden />
          {labels.productOverview}
        </Entry>
        {categories.map((category) => (
          <div key={category.id}>
            <Heading type="button" aria-expanded={open.has(category.id)} onClick={() => toggle(category.id)}>
              <ChevronRight size={16} strokeWidth={1.75} aria-hidden />
              {category.name}
            </Heading>
            {open.has(category.id) && (
              <ul>
                {ofCategory(category.id).map((group) => (
                  <li key={group.id}>
                    <Entry
                      type="button"
                      $inner
                      aria-current={group.id === chosen ? 'true' : undefined}
                      onClick={() => onChoose(group.id)}
                    >
                      {group.name}
                    </Entry>
                  </li>
                ))}
                {ofCategory(category.id).length === 0 && <None>暂无分组</None>}
              </ul>
            )}
          </div>
        ))}
      </Rail>
      <Narrow>
        <Select
          label="产品分组"
          value={chosen ?? 'none'}
          onChange={(value) => onChoose(value === 'none' ? null : value)}
          options={[{ value: 'none', text: labels.productOverview }, ...choices]}
        />
      </Narrow>
    </>
  )
}

const Rail = styled.nav`
  position: sticky;
  top: 72px;
  display: grid;
  gap: 2px;
  padding: 8px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  background: ${color.surface};

  ul {
    display: grid;
    gap: 2px;
  }

  ${media.narrow} {
    display: none;
  }
`

const Narrow = styled.div`
  display: none;

  ${media.narrow} {
    display: block;
  }
`

const Heading = styled.button`
  display: flex;
  align-items: center;
  gap: 8px;
  width: 100%;
  min-height: 36px;
  padding: 0 8px;
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text};
  text-align: start;
  ${font.sm}
  ${font.strong}
  cursor: pointer;

  svg {
    color: ${color.text3};
    transition: transform ${motion.state};
  }

  &[aria-expanded='true'] svg {
    transform: rotate(90deg);
  }

  &:hover {
    background: ${color.sunken};
  }
`

const Entry = styled.button<{ $inner?: boolean }>`
  display: flex;
  align-items: center;
  gap: 8px;
  width: 100%;
  min-height: 36px;
  padding: 0 12px 0 ${({ $inner }) => ($inner ? '32px' : '8px')};
  border: 0;
  border-radius: ${radius.control};
  background: transparent;
  color: ${color.text2};
  text-align: start;
  ${font.sm}
  cursor: pointer;

  &:hover {
    background: ${color.sunken};
    color: ${color.text};
  }

  &[aria-current] {
    background: ${color.primary.tint};
    color: ${color.primary.text};
  }
`

const None = styled.li`
  padding: 6px 12px 6px 32px;
  ${font.xs}
  color: ${color.text3};
`
