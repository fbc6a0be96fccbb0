import * as verbs from '@vps/shared/verbs'
import { Search } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, media, radius } from '../../../theme/tokens'
import { Button } from '../../../ui/Button'
import { TextField } from '../../../ui/Field'
import { toFirstField } from '../../../ui/to-first-field'
import { useTypedSearch } from '../../../ui/use-typed-search'
import type { useFilters } from '../../../ui/use-filters'

/** Rest after typing (specification part 2 section 9). */
export const searchRestMs = 300

interface ConditionsProps {
  search?: { text: string; onSearch: (text: string) => void; placeholder: string; label?: string }
  active: boolean
  onReset: () => void
  children?: ReactNode
}

/** The conditions over a list. */
export function Conditions({ search, active, onReset, children }: ConditionsProps) {
  const { typed, setTyped, field, write } = useTypedSearch(
    search?.text ?? '',
    search?.onSearch ?? (() => undefined),
    searchRestMs,
  )
  return (
    <Form
      role="search"
      onSubmit={(event) => {
        event.preventDefault()
        write()
      }}
    >
      <Fields>
        {search && (
          <TextField
            label={search.label ?? verbs.search}
            type="search"
            placeholder={search.placeholder}
            maxLength={100}
            {...field}
            start={<Search size={16} strokeWidth={1.75} aria-hidden />}
          />
        )}
        {children}
      </Fields>
      <Buttons>
        {search && (
          <Button type="submit" tone="plain">
            查询
          </Button>
        )}
        <Button
          disabled={!active && typed === ''}
          onClick={(event) => {
            toFirstField(event)
            setTyped('')
            onReset()
          }}
        >
          {verbs.reset}
        </Button>
      </Buttons>
    </Form>
  )
}

/** A list with one searched text. */
export function SearchOnly({
  filters,
  placeholder,
}: {
  filters: ReturnType<typeof useFilters<'q'>>
  placeholder: string
}) {
  return (
    <Conditions
      search={{ text: filters.values.q, onSearch: (q) => filters.set({ q }), placeholder }}
      active={filters.active}
      onReset={filters.reset}
    />
  )
}

const Form = styled.form`
  display: flex;
  gap: 16px;
  margin-bottom: 16px;
  padding: 16px;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};

  ${media.phone} {
    flex-direction: column;
    margin-bottom: 12px;
    padding: 0;
    border: 0;
  }
`

const Fields = styled.div`
  flex: 1;
  display: grid;
  grid-template-columns: repeat(3, minmax(0, 1fr));
  gap: 12px 24px;

  /* Label and field on one line. */
  > div:not([role]),
  > [role='group'] > div {
    display: grid;
    grid-template-columns: auto minmax(0, 1fr);
    align-items: center;
    gap: 12px;
  }

  /* Two that belong together are in one line. */
  > [role='group'] {
    grid-column: span 2;
    display: grid;
    grid-template-columns: subgrid;
    gap: inherit;
  }

  label {
    white-space: nowrap;
  }

  ${media.narrow} {
    grid-template-columns: repeat(2, minmax(0, 1fr));
  }

  ${media.phone} {
    grid-template-columns: minmax(0, 1fr);

    > [role='group'] {
      grid-column: auto;
    }
  }
`

const Buttons = styled.div`
  display: flex;
  gap: 12px;
  padding-left: 16px;
  border-left: 1px solid ${color.line};

  ${media.phone} {
    padding: 0;
    border: 0;

    > * {
      flex: 1;
    }

    /* The list follows what is typed; a phone has no room to say so twice. */
    > [type='submit'],
    > :disabled {
      display: none;
    }
  }
`
