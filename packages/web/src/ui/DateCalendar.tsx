import { parseDate } from '@internationalized/date'
import { shanghaiDay } from '@vps/shared/time'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useContext, useEffect, useRef } from 'react'
import {
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  CalendarStateContext,
  Heading,
  I18nProvider,
} from 'react-aria-components'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'
import { Button, IconButton } from './Button'

interface Props {
  day: string | null
  min: string | undefined
  max: string | undefined
  onPick: (day: string) => void
  /** Where days are from and to: the month that is shown, as a whole. */
  onMonth: OnMonth | undefined
}

export type OnMonth = (first: string, last: string) => void

/** Arrows, Home, End and the page keys go through it. */
export function DateCalendar({ day, min, max, onPick, onMonth }: Props) {
  const today = shanghaiDay(new Date())
  const from = parseDate(day ?? (min && min > today ? min : today))
  const month = useRef<HTMLDivElement>(null)
  // Not before: a dialog around it takes the focus back from what it does not know yet.
  useEffect(() => month.current?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus(), [])
  return (
    <I18nProvider locale="zh-CN">
      <Month
        ref={month}
        value={day ? from : null}
        defaultFocusedValue={from}
        minValue={min ? parseDate(min) : null}
        maxValue={max ? parseDate(max) : null}
        onChange={(picked) => onPick(picked.toString())}
      >
        <MonthHead />
        <CalendarGrid>
          <CalendarGridHeader>{(name) => <CalendarHeaderCell>{name}</CalendarHeaderCell>}</CalendarGridHeader>
          <CalendarGridBody>
            {(date) => <Day date={date} className={date.toString() === today ? 'today' : ''} />}
          </CalendarGridBody>
        </CalendarGrid>
        {onMonth && <WholeMonth onMonth={onMonth} />}
      </Month>
    </I18nProvider>
  )
}

/* The library's own button would come with every menu: it shares their file. */
function MonthHead() {
  const month = useContext(CalendarStateContext)
  // At its end a button stays where the focus is, and with it Escape.
  const [first, last] = [month?.isPreviousVisibleRangeInvalid(), month?.isNextVisibleRangeInvalid()]
  return (
    <Head>
      <IconButton label="上个月" size="lg" aria-disabled={first} onClick={() => !first && month?.focusPreviousPage()}>
        <ChevronLeft size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
      <Heading />
      <IconButton label="下个月" size="lg" aria-disabled={last} onClick={() => !last && month?.focusNextPage()}>
        <ChevronRight size={18} strokeWidth={1.75} aria-hidden />
      </IconButton>
    </Head>
  )
}

function WholeMonth({ onMonth }: { onMonth: OnMonth }) {
  const shown = useContext(CalendarStateContext)?.visibleRange
  if (!shown) return null
  const { start, end } = shown
  return (
    <Button tone="quiet" onClick={() => onMonth(start.toString(), end.toString())}>
      选择整月
    </Button>
  )
}

const Month = styled(Calendar)`
  padding: 12px;
  ${font.sm}
  ${font.numbers}

  th {
    height: 32px;
    ${font.xs}
    color: ${color.text3};
  }

  td {
    padding: 0;
  }
`

const Head = styled.header`
  display: flex;
  align-items: center;
  justify-content: space-between;

  h2 {
    ${font.sm}
    ${font.strong}
  }

  button[aria-disabled='true'] {
    color: ${color.disabled};
    cursor: not-allowed;
  }
`

const Day = styled(CalendarCell)`
  display: grid;
  place-items: center;
  width: min(44px, (100vw - 64px) / 7);
  height: 44px;
  border-radius: ${radius.control};
  cursor: pointer;
  outline: none;

  &[data-hovered] {
    background: ${color.surface};
  }

  &.today {
    ${font.strong}
    color: ${color.primary.text};
  }

  &[data-outside-month] {
    visibility: hidden;
  }

  &[data-selected] {
    background: ${color.primary.fill};
    color: ${color.primary.onFill};
  }

  &[data-focus-visible] {
    outline: 2px solid ${color.focus};
    outline-offset: -2px;
  }

  &[data-disabled],
  &[data-unavailable] {
    color: ${color.disabled};
    cursor: not-allowed;
  }
`
