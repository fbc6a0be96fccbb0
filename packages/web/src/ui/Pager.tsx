import { ChevronLeft, ChevronRight } from 'lucide-react'
import styled from 'styled-components'
import { color, font, media } from '../theme/tokens'
import { IconButton } from './Button'
import { options, Select } from './Select'
import { pageSizes } from './address-filters'
import { handheld, unzoomed } from './unzoomed'

/** After what was done with them, such as 共 or 找到. */
export const countText = (total: number, estimated = false): string => `${estimated ? '约' : ''} ${total} 条`

/** Count, place and size of pages. */
export function Pager({
  total,
  estimated,
  page,
  size,
  onPage,
  onSize,
}: {
  total: number
  /** A very long list's count is rough. */
  estimated?: boolean | undefined
  page: number
  size: number
  onPage: (page: number) => void
  onSize: (size: number) => void
}) {
  const pages = Math.max(1, Math.ceil(total / size))
  const shown = Math.min(page, pages - 1)
  // At its end a button stays where the focus is.
  const turn = (by: 1 | -1) => {
    const next = shown + by
    const ends = next < 0 || next >= pages
    return { 'aria-disabled': ends, onClick: () => !ends && onPage(next) }
  }
  return (
    <Row aria-label="分页">
      <span>共{countText(total, estimated)}</span>
      <Size>
        <Select
          label="每页条数"
          bare
          value={String(size)}
          onChange={(value) => onSize(Number(value))}
          options={options(pageSizes.map((count) => [String(count), `${count} 条/页`]))}
        />
      </Size>
      <Turns>
        <IconButton label="上一页" {...turn(-1)}>
          <ChevronLeft size={18} strokeWidth={1.75} />
        </IconButton>
        <span>
          {shown + 1} / {pages}
        </span>
        <IconButton label="下一页" {...turn(1)}>
          <ChevronRight size={18} strokeWidth={1.75} />
        </IconButton>
      </Turns>
    </Row>
  )
}

const Row = styled.nav`
  display: flex;
  align-items: center;
  justify-content: flex-end;
  flex-wrap: wrap;
  gap: 4px 8px;
  min-height: 48px;
  padding-top: 8px;
  color: ${color.text2};
  ${font.xs}
  ${font.numbers}

  > span:first-child {
    margin-right: auto;
  }

  [aria-disabled='true'] {
    color: ${color.disabled};
  }

  ${media.phone} {
    justify-content: center;

    > span:first-child {
      margin-right: 0;
    }
  }
`

/** In one line, however narrow the window. */
const Turns = styled.div`
  display: flex;
  align-items: center;
  gap: 8px;
`

const Size = styled.div`
  width: 104px;

  select {
    height: 28px;
    ${font.xs}
    ${unzoomed}

    ${media.phone} {
      height: 44px;
    }
  }

  ${handheld} {
    width: 120px;
  }
`
