import { color } from '../theme/tokens'

const tones: Record<string, 'error' | 'warning' | 'primary' | 'success'> = {
  Debian: 'error',
  Ubuntu: 'warning',
  CentOS: 'primary',
  Rocky: 'success',
}

/** Our own: initials on the system's colour. */
export function SystemMark({ name }: { name: string }) {
  const words = name.split(' ')
  const tone = tones[words[0] ?? '']
  return (
    <svg width="32" height="32" viewBox="0 0 32 32" aria-hidden>
      <rect width="32" height="32" rx="8" fill={tone ? color[tone].tint : color.sunken} />
      <text
        x="16"
        y="21"
        textAnchor="middle"
        fontSize={words.length > 1 ? 13 : 16}
        fontWeight="600"
        fill={tone ? color[tone].text : color.text2}
      >
        {words
          .slice(0, 2)
          .map((word) => word[0])
          .join('')}
      </text>
    </svg>
  )
}
