import { passwordScore, passwordStrength, type PasswordStrength as Strength } from '@vps/shared/password'
import styled from 'styled-components'
import { color, font, motion } from '../../theme/tokens'
import { Help } from '../../ui/Field'

const words: Record<Strength, string> = { weak: '弱', medium: '中', strong: '强' }
const points = 6
/** Shown, a password's field takes what an input method gives; hidden, as where one signs in, it does not. */
const unlikePlain = /[^\x20-\x7e]/
const roles = { weak: 'error', medium: 'warning', strong: 'success' } as const

/** Six points as cells, and a word. */
export default function PasswordStrength({ password }: { password: string }) {
  const strength = passwordStrength(password)
  const score = passwordScore(password)
  return (
    <>
      <Row
        role="meter"
        aria-label="密码强度"
        aria-valuemin={0}
        aria-valuemax={points}
        aria-valuenow={score}
        aria-valuetext={words[strength]}
      >
        {Array.from({ length: points }, (_, n) => (
          <Cell key={n} $role={n < score ? roles[strength] : null} />
        ))}
        <span>密码强度：{words[strength]}</span>
      </Row>
      {unlikePlain.test(password) && <Help>含有中文或全角符号，登录时密码框不接受输入法，可能无法输入</Help>}
    </>
  )
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 4px;
  margin-top: 8px;
  ${font.xs}
  color: ${color.text2};

  span:last-child {
    margin-left: 8px;
  }
`

const Cell = styled.i<{ $role: 'error' | 'warning' | 'success' | null }>`
  flex: 1;
  height: 8px;
  border-radius: 2px;
  background: ${({ $role }) => ($role ? color[$role].brand : color.line)};
  transition: background ${motion.state};
`
