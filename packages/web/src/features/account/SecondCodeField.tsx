import * as labels from '@vps/shared/labels'
import { useEffect, useRef, useState, type ComponentProps } from 'react'
import styled from 'styled-components'
import { TextField } from '../../ui/Field'
import { Switch } from './AuthForm'

type Props = Omit<ComponentProps<typeof TextField>, 'label'> & {
  /** There are no recovery codes yet. */
  onlyDigits?: boolean
  /** Not where a password comes first. */
  takesFocus?: boolean
}

/** An authenticator's code, or a recovery code. */
export default function SecondCodeField({ onlyDigits = false, takesFocus = true, ...input }: Props) {
  const [isRecovering, setRecovering] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  const focus = () => place.current?.querySelector('input')?.focus()
  useEffect(() => {
    if (takesFocus) focus()
  }, [takesFocus])
  const toggle = () => {
    setRecovering(!isRecovering)
    focus()
  }
  return (
    <div ref={place}>
      <TextField
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        {...input}
        {...(isRecovering
          ? {
              label: labels.recoveryCode,
              help: '开启两步验证时保存的恢复码，每个只能使用一次。找不到恢复码时，请联系客服',
            }
          : { label: labels.oneTimeCode, help: '验证器应用显示的 6 位数字', inputMode: 'numeric' })}
      />
      {!onlyDigits && (
        <Other>
          <button type="button" onClick={toggle}>
            {isRecovering ? '使用验证器的验证码' : '手机不在身边？使用恢复码'}
          </button>
        </Other>
      )}
    </div>
  )
}

const Other = styled(Switch)`
  text-align: start;
`
