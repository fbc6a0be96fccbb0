import * as verbs from '@vps/shared/verbs'
import { Copy, Eye, EyeOff } from 'lucide-react'
import { useState } from 'react'
import styled from 'styled-components'
import { font } from '../theme/tokens'
import { IconButton } from './Button'
import { copyText } from './copy'

/** Can be copied unseen. */
export function Secret({ value }: { value: string }) {
  const [shown, setShown] = useState(false)
  return (
    <Row>
      <span>{shown ? value : '********'}</span>
      <IconButton size="sm" label={shown ? verbs.hidePassword : verbs.showPassword} onClick={() => setShown(!shown)}>
        {shown ? <EyeOff size={16} strokeWidth={1.75} /> : <Eye size={16} strokeWidth={1.75} />}
      </IconButton>
      <IconButton size="sm" label="复制密码" onClick={() => void copyText(value, '密码已复制')}>
        <Copy size={16} strokeWidth={1.75} />
      </IconButton>
    </Row>
  )
}

const Row = styled.span`
  display: inline-flex;
  align-items: center;
  gap: 2px;
  margin: -3px 0;
  font-family: ${font.family.mono};

  span {
    margin-right: 4px;
    overflow-wrap: anywhere;
  }
`
