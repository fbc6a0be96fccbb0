import * as verbs from '@vps/shared/verbs'
import * as labels from '@vps/shared/labels'
import { WandSparkles } from 'lucide-react'
import { named } from '../../ui/Button'
import { Inside, PasswordField } from '../../ui/Field'
import { makePassword } from '../../servers/machine-access'

/** The machine's first one. */
export function InitialPassword({
  value,
  fault,
  onChange,
}: {
  value: string
  fault: string | undefined
  onChange: (value: string) => void
}) {
  return (
    <PasswordField
      label={labels.initialPassword}
      help="至少 8 位，含大小写字母和数字；留空则自动生成"
      autoComplete="new-password"
      value={value}
      error={fault}
      onChange={(event) => onChange(event.target.value)}
      end={
        <Inside
          type="button"
          {...named(verbs.generatePassword)}
          onClick={() => onChange(makePassword(labels.initialPassword))}
        >
          <WandSparkles size={16} strokeWidth={1.75} />
        </Inside>
      }
    />
  )
}
