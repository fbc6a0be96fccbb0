import { Alert } from '../../ui/Alert'

/** What was wrong with the last try. */
export function ClosableProblem({ problem, onClose }: { problem: string | null; onClose: () => void }) {
  return (
    problem && (
      <Alert tone="error" onClose={onClose}>
        {problem}
      </Alert>
    )
  )
}
