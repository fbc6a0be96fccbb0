import { firewallActionNames } from '@vps/shared/firewall'
import * as verbs from '@vps/shared/verbs'
import { ArrowDown, ArrowUp, Pencil, Shield, Trash2 } from 'lucide-react'
import { useRef } from 'react'
import styled from 'styled-components'
import { color, font, media } from '../../../theme/tokens'
import { IconButton } from '../../../ui/Button'
import { Tag } from '../../../ui/Chip'
import { stayBeside } from '../../../ui/focus-beside'
import { Moving } from '../../../ui/Moving'
import { Empty } from '../../../ui/states'
import { movedBy, placeWords, remoteWords, ruleWords, type Row } from './draft'

const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const

interface Props {
  rows: Row[]
  locked: string | null
  /** `moved`: whose place is another. */
  onChange: (rows: Row[], moved?: string) => void
  onEdit: (row: Row) => void
}

/** In the order in which they are compared. */
export function Rules({ rows, locked, onChange, onEdit }: Props) {
  const list = useRef<HTMLOListElement>(null)
  if (rows.length === 0)
    return (
      <Empty icon={Shield} title="还没有规则">
        添加规则，或从模板开始，例如只放行 SSH。
      </Empty>
    )
  return (
    <List ref={list} aria-label="防火墙规则">
      <Moving keys={rows.map(({ key }) => key)} place={list} />
      {rows.map((row, n) => {
        const { rule, key } = row
        const named = placeWords(row, n)
        return (
          <li key={key} data-row={key}>
            <Number aria-hidden>{n + 1}</Number>
            <About>
              <b>{ruleWords(rule)}</b>
              <small>
                {remoteWords(rule)}
                {rule.note && ` · ${rule.note}`}
              </small>
            </About>
            <Tag $tone={rule.action === 'accept' ? 'success' : 'error'}>{firewallActionNames[rule.action]}</Tag>
            {locked === null && (
              <Acts>
                <IconButton
                  label={`上移 ${named}`}
                  aria-disabled={n === 0}
                  onClick={() => onChange(movedBy(rows, key, -1), key)}
                >
                  <ArrowUp {...icon} />
                </IconButton>
                <IconButton
                  label={`下移 ${named}`}
                  aria-disabled={n === rows.length - 1}
                  onClick={() => onChange(movedBy(rows, key, 1), key)}
                >
                  <ArrowDown {...icon} />
                </IconButton>
                <IconButton label={`${verbs.edit} ${named}`} onClick={() => onEdit(row)}>
                  <Pencil {...icon} />
                </IconButton>
                <IconButton
                  label={`${verbs.remove} ${named}`}
                  onClick={({ currentTarget }) => {
                    leaveRow(currentTarget)
                    onChange(rows.filter((one) => one !== row))
                  }}
                >
                  <Trash2 {...icon} />
                </IconButton>
              </Acts>
            )}
          </li>
        )
      })}
    </List>
  )
}

/** To the same button of the row beside it: this one goes. */
function leaveRow(button: Element): void {
  const row = button.closest('li')
  const beside = row?.nextElementSibling ?? row?.previousElementSibling
  const same = [...(beside?.querySelectorAll('button') ?? [])].at(-1)
  if (same) same.focus({ preventScroll: true })
  else stayBeside()
}

const List = styled.ol`
  margin: 0;
  padding: 0;
  list-style: none;

  li {
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr) auto auto;
    align-items: center;
    gap: 4px 12px;
    padding: 8px 0;
    border-top: 1px solid ${color.line};
    background: ${color.page};
  }

  li:last-child {
    border-bottom: 1px solid ${color.line};
  }

  ${media.phone} {
    li {
      grid-template-columns: 24px minmax(0, 1fr) auto;
    }
  }
`

const Number = styled.span`
  ${font.xs}
  ${font.numbers}
  color: ${color.text3};
`

const About = styled.div`
  display: grid;
  min-width: 0;

  b {
    ${font.sm}
    ${font.numbers}
    font-weight: 600;
  }

  small {
    ${font.xs}
    color: ${color.text3};
    overflow-wrap: anywhere;
  }
`

const Acts = styled.div`
  display: flex;
  gap: 4px;

  ${media.phone} {
    grid-column: 1 / -1;
    justify-content: space-between;
  }
`
