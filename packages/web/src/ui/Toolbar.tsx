import * as verbs from '@vps/shared/verbs'
import { Search, X } from 'lucide-react'
import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, media } from '../theme/tokens'
import { Button } from './Button'
import { TextField } from './Field'
import { toFirstField } from './to-first-field'
import { useTypedSearch } from './use-typed-search'

/** 重置 appears only when a filter is set. */
export function Toolbar({
  search,
  onSearch,
  placeholder,
  debounceMs = 500,
  active,
  onReset,
  children,
}: {
  search: string
  onSearch: (text: string) => void
  placeholder: string
  debounceMs?: number
  active: boolean
  onReset: () => void
  children?: ReactNode
}) {
  const { field } = useTypedSearch(search, onSearch, debounceMs)

  return (
    <Row role="search">
      <Box>
        <TextField
          label={verbs.search}
          bare
          type="search"
          placeholder={placeholder}
          maxLength={100}
          {...field}
          start={<Search size={16} strokeWidth={1.75} aria-hidden />}
        />
      </Box>
      {children}
      {active && (
        <Button
          tone="quiet"
          icon={<X size={16} strokeWidth={1.75} aria-hidden />}
          onClick={(event) => {
            toFirstField(event)
            onReset()
          }}
        >
          {verbs.reset}
        </Button>
      )}
    </Row>
  )
}

const Row = styled.div`
  display: flex;
  align-items: center;
  flex-wrap: wrap;
  gap: 8px;
  padding-bottom: 16px;

  > *:not(:first-child):not(button) {
    width: 148px;
  }

  ${media.phone} {
    padding-bottom: 12px;

    > *:not(:first-child):not(button) {
      flex: 1;
      width: auto;
      min-width: 120px;
    }
  }
`

const Box = styled.div`
  width: 280px;

  svg {
    color: ${color.text3};
  }

  ${media.phone} {
    width: 100%;
  }
`
