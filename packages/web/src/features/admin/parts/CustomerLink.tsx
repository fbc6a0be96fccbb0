import { Link } from 'wouter'
import { paths } from '../../../paths'

/** A customer, wherever one is named. */
export function CustomerLink({ id, name }: { id: string; name: string }) {
  return <Link href={paths.user(id)}>{name}</Link>
}
