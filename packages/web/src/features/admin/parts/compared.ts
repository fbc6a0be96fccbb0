import * as labels from '@vps/shared/labels'

interface Field<V, Name extends keyof V> {
  name: Name
  label: string
  show?(value: V[Name]): string
}

export type Compared<V> =
  | { [Name in keyof V & string]-?: Field<V, Name> }[keyof V & string]
  | { name: keyof V & string; label: string; show?: never }

export const differingOf = <V>(fields: Compared<V>[], mine: V, theirs: V): Compared<V>[] =>
  fields.filter(({ name }) => plain(mine[name]) !== plain(theirs[name]))

export const textOf = <V>({ name, show }: Field<V, keyof V & string>, of: V): string =>
  show ? show(of[name]) : plain(of[name])

const plain = (value: unknown) =>
  value === null || value === undefined || value === ''
    ? labels.nothing
    : typeof value === 'boolean'
      ? yesNo(value)
      : typeof value === 'string'
        ? value
        : // The same, in whatever order it was ticked.
          JSON.stringify(Array.isArray(value) ? Array.from<unknown>(value).toSorted() : value)

const yesNo = (value: boolean) => (value ? labels.yes : labels.no)
