import styled from 'styled-components'
import { color, font, media, motion, radius } from '../theme/tokens'
import { coveringInput } from './radio-looks'

/** One of a few short choices. */
export function Segments<T extends string>({
  label,
  name,
  value,
  onChange,
  options,
  disabled,
}: {
  label: string
  name: string
  value: T
  onChange: (value: T) => void
  options: readonly (readonly [T, string])[]
  disabled?: boolean
}) {
  return (
    <Row role="radiogroup" aria-label={label}>
      {options.map(([option, text]) => (
        <label key={option}>
          <input
            type="radio"
            name={name}
            checked={value === option}
            disabled={disabled}
            onChange={() => onChange(option)}
          />
          {text}
        </label>
      ))}
    </Row>
  )
}

const Row = styled.div`
  display: inline-flex;
  padding: 2px;
  border-radius: ${radius.control};
  background: ${color.sunken};

  label {
    position: relative;
    display: inline-grid;
    place-items: center;
    height: 24px;
    padding: 0 10px;
    border-radius: 4px;
    ${font.xs}
    color: ${color.text2};
    white-space: nowrap;
    cursor: pointer;
    transition: background-color ${motion.state};
  }

  label:has(:checked) {
    background: ${color.raised};
    color: ${color.text};
  }

  label:has(:disabled) {
    color: ${color.text3};
    cursor: not-allowed;
  }

  label:has(:focus-visible) {
    outline: 2px solid ${color.focus};
    outline-offset: 1px;
  }

  ${coveringInput}

  ${media.phone} {
    label {
      height: 40px;
    }
  }
`
