import { parseDate } from '@internationalized/date'
import { shanghaiDay } from '@vps/shared/time'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import {
  Button,
  Calendar,
  CalendarCell,
  CalendarGrid,
  CalendarGridBody,
  CalendarGridHeader,
  CalendarHeaderCell,
  Heading,
  I18nProvider,
} from 'react-aria-components'
import styled from 'styled-components'
import { color, font, radius } from '../theme/tokens'

interface Props {
  day: string | null
  min: string | undefined
  max: string | undefined
  onPick: (day: string) => void
}

/** A month of the shop's days: arrows, Home, End and the page keys go through it. */
export function DateCalendar({ day, min, max, onPick }: Props) {
  const today = shanghaiDay(new Date())
  const from = parseDate(day ?? (min && min > today ? min : today))
  return (
    <I18nProvider locale="zh-CN">
      <Month
        ref={focusDay}
        value={day ? from : null}
        defaultFocusedValue={from}
        minValue={min ? parseDate(min) : null}
        maxValue={max ? parseDate(max) : null}
        onChange={(picked) => onPick(picked.toString())}
      >
        <Head>
          <Button slot="previous">
            <ChevronLeft size={18} strokeWidth={1.75} aria-hidden />
          </Button>
          <Heading />
          <Button slot="next">
            <ChevronRight size={18} strokeWidth={1.75} aria-hidden />
          </Button>
        </Head>
        <CalendarGrid>
          <CalendarGridHeader>{(name) => <CalendarHeaderCell>{name}</CalendarHeaderCell>}</CalendarGridHeader>
          <CalendarGridBody>
            {(date) => <Day date={date} className={date.toString() === today ? 'today' : ''} />}
          </CalendarGridBody>
        </CalendarGrid>
      </Month>
    </I18nProvider>
  )
}

/** The dialog has it first, which came before the calendar. */
const focusDay = (month: HTMLElement | null) => month?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus()

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

  button {
    display: inline-grid;
    place-items: center;
    width: 44px;
    height: 44px;
    border: 0;
    border-radius: ${radius.control};
    background: transparent;
    color: ${color.text2};
    cursor: pointer;

    &[data-hovered] {
      background: ${color.surface};
    }

    &[data-disabled] {
      color: ${color.disabled};
      cursor: not-allowed;
    }
  }
`

const Day = styled(CalendarCell)`
  display: grid;
  place-items: center;
  width: 44px;
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
