import { Link } from 'wouter'
import { paths } from '../../../paths'

/** A customer, wherever one is named. */
export function CustomerLink({ name }: { id: string; name: string }) {
  return <Link href={paths.users({ q: name })}>{name}</Link>
}
