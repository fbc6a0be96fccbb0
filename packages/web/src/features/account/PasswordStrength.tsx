import { passwordScore, passwordStrength, type PasswordStrength as Strength } from '@vps/shared/password'
import styled from 'styled-components'
import { color, font, motion } from '../../theme/tokens'

const words: Record<Strength, string> = { weak: '弱', medium: '中', strong: '强' }
const roles = { weak: 'error', medium: 'warning', strong: 'success' } as const

/** Six points as a bar, and the word for it. */
export default function PasswordStrength({ password }: { password: string }) {
  const strength = passwordStrength(password)
  return (
    <Row
      role="meter"
      aria-label="密码强度"
      aria-valuemin={0}
      aria-valuemax={6}
      aria-valuenow={passwordScore(password)}
      aria-valuetext={words[strength]}
    >
      <Track>
        <Fill $role={roles[strength]} style={{ width: `${(passwordScore(password) / 6) * 100}%` }} />
      </Track>
      <span>密码强度：{words[strength]}</span>
    </Row>
  )
}

const Row = styled.div`
  display: flex;
  align-items: center;
  gap: 12px;
  margin-top: 8px;
  ${font.xs}
  color: ${color.text2};
`

const Track = styled.div`
  flex: 1;
  height: 4px;
  border-radius: 2px;
  background: ${color.sunken};
  overflow: hidden;
`

const Fill = styled.div<{ $role: 'error' | 'warning' | 'success' }>`
  height: 100%;
  border-radius: 2px;
  background: ${({ $role }) => color[$role].brand};
  transition: width ${motion.state};
`
