import { Result } from './Result'

export default function FailedPage() {
  return <Result claimed="failed" />
}
