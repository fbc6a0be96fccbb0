import type { ReactNode } from 'react'
import styled from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'
import { heardOnly } from './heard-only'
import { chosenCard } from './radio-looks'

/** One big choice out of a few. */
export function Tiles<T extends string>({
  legend,
  name,
  value,
  onChange,
  tiles,
  minWidth = 200,
  bare,
}: {
  legend: string
  name: string
  value: T | null
  onChange: (value: T) => void
  tiles: { value: T; label: string; content: ReactNode; disabled?: boolean }[]
  minWidth?: number
  bare?: boolean
}) {
  return (
    <fieldset>
      <Legend $bare={bare ?? false}>{legend}</Legend>
      <Grid $minWidth={minWidth}>
        {tiles.map((tile) => (
          <Tile key={tile.value}>
            <input
              type="radio"
              name={name}
              aria-label={tile.label}
              checked={value === tile.value}
              disabled={tile.disabled}
              onChange={() => onChange(tile.value)}
            />
            {tile.content}
          </Tile>
        ))}
      </Grid>
    </fieldset>
  )
}

const Legend = styled.legend<{ $bare: boolean }>`
  padding: 0;
  margin-bottom: 8px;
  ${font.sm}
  color: ${color.text2};
  ${({ $bare }) => $bare && heardOnly}
`

const Grid = styled.div<{ $minWidth: number }>`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(${({ $minWidth }) => $minWidth}px, 100%), 1fr));
  gap: 12px;

  /* On a phone small tiles stand in pairs, large ones alone. */
  ${media.phone} {
    grid-template-columns: ${({ $minWidth }) => ($minWidth > 200 ? '1fr' : '1fr 1fr')};
  }
`

const Tile = styled.label`
  position: relative;
  display: block;
  padding: 14px 16px;
  border: 1px solid ${color.line};
  border-radius: ${radius.dialog};
  background: ${color.page};
  cursor: pointer;
  transition:
    border-color ${motion.state},
    background-color ${motion.state};

  input {
    position: absolute;
    inset: 0;
    width: 100%;
    height: 100%;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }

  &:hover {
    border-color: ${color.primary.brand};
  }

  ${chosenCard}

  &:has(:disabled) {
    cursor: not-allowed;
    background: ${color.surface};
    border-color: ${color.line};
  }
`
