import * as labels from '@vps/shared/labels'
import { useEffect, useId, useRef } from 'react'
import styled from 'styled-components'
import { color, font, radius } from '../../theme/tokens'
import { Button } from '../../ui/Button'
import { copyText } from '../../ui/copy'

/** Shown once, to be kept elsewhere. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const all = `${codes.join('\n')}\n`
  const place = useRef<HTMLDivElement>(null)
  const id = useId()
  // Else the focus is what the button that asked for them leaves it to: what closes them, unheard and for good.
  useEffect(() => place.current?.focus(), [])
  return (
    <Stack ref={place} role="group" tabIndex={-1} aria-label={labels.recoveryCode} aria-describedby={id}>
      <p id={id}>
        手机丢失或更换时，可用恢复码代替验证码登录，每个只能使用一次。恢复码只显示这一次，请保存到安全的地方。
      </p>
      <List aria-label="恢复码列表">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </List>
      <Row>
        <Button onClick={() => void copyText(all, '恢复码已复制')}>复制全部</Button>
        <Button onClick={() => download(all)}>下载为文本</Button>
      </Row>
    </Stack>
  )
}

function download(all: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([all], { type: 'text/plain' }))
  link.download = '恢复码.txt'
  link.click()
  URL.revokeObjectURL(link.href)
}

const Stack = styled.div`
  display: grid;
  gap: 16px;
  outline: none;
`

const List = styled.ul`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(130px, 1fr));
  gap: 8px;
  margin: 0;
  padding: 16px;
  list-style: none;
  border: 1px solid ${color.line};
  border-radius: ${radius.card};
  font-family: ${font.family.mono};
`

const Row = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 12px;
`
