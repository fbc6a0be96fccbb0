import { TextField } from '../../../ui/Field'

/** For what cannot be taken back. */
export function TypedName({ name, typed, onType }: { name: string; typed: string; onType: (typed: string) => void }) {
  return (
    <TextField
      label={
        <>
          输入 <b>{name}</b> 以确认
        </>
      }
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      value={typed}
      onChange={(event) => onType(event.target.value)}
    />
  )
}
