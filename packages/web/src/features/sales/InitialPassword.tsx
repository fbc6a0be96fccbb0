import { WandSparkles } from 'lucide-react'
import { Inside, PasswordField } from '../../ui/Field'
import { initialPasswordFault, makePassword } from './initial-password'
import { initialPasswordTexts } from './initial-password-texts'

/** The first password of the machine: typed, generated, or left to the server. */
export default function InitialPassword({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <PasswordField
      {...initialPasswordTexts}
      autoComplete="new-password"
      value={value}
      error={initialPasswordFault(value) ?? undefined}
      onChange={(event) => onChange(event.target.value)}
      end={
        <Inside type="button" title="生成密码" aria-label="生成密码" onClick={() => onChange(makePassword())}>
          <WandSparkles size={16} strokeWidth={1.75} />
        </Inside>
      }
    />
  )
}
