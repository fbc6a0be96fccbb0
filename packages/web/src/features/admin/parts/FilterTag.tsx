import { X } from 'lucide-react'
import styled from 'styled-components'
import { color, font, media, radius } from '../../../theme/tokens'

/** A condition from a link, without a field. */
export function FilterTag({ label, onRemove }: { label: string; onRemove: () => void }) {
  return (
    <Tag type="button" aria-label={`移除条件 ${label}`} onClick={onRemove}>
      {label}
      <X size={14} strokeWidth={1.75} aria-hidden />
    </Tag>
  )
}

const Tag = styled.button`
  display: inline-flex;
  align-items: center;
  justify-self: start;
  gap: 6px;
  height: 36px;
  padding: 0 12px;
  border: 0;
  border-radius: ${radius.control};
  background: ${color.primary.tint};
  color: ${color.primary.text};
  ${font.sm}
  cursor: pointer;

  ${media.phone} {
    height: 44px;
  }
`
