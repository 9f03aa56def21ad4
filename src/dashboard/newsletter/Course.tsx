import { column, DataTable, type Column } from '#src/components/ui/DataTable.tsx';
import { useAnswer } from '#src/dashboard/kit/useAnswer.ts';
import { When } from '#src/dashboard/kit/When.tsx';
import { LESSONS } from '#src/features/course/course.ts';
import type { EnrollmentView } from '#src/features/mail/deliveries.ts';
import * as api from '#src/features/mail/mail.api.ts';
import { formatCount } from '#src/lib/text.ts';

const NOTHING = {};

const ENROLLMENT: Column<EnrollmentView>[] = [
	column('email', 'Address', ({ email, consent }) => (
		<>
			<span className="break-all">{email}</span>
			{consent && <span className="block break-words text-muted">Consent: {consent}</span>}
		</>
	)),
	column('lesson', 'Lessons', ({ lesson }) => `${lesson} of ${LESSONS.length}`),
	column('state', 'State', ({ state }) => COURSE[state]),
	column('nextAt', 'Next', ({ nextAt }) => <When at={nextAt} hour />, 'wide'),
	column('createdAt', 'Enrolled', ({ createdAt }) => <When at={createdAt} hour />, 'end', 'wide'),
];
const COURSE: Record<EnrollmentView['state'], string> = {
	running: 'Under way',
	paused: 'Paused',
	stopped: 'Stopped',
	done: 'Finished',
};

/** Lists the readers of the course by email, and how far each is. */
export function Course() {
	const { answer, ...state } = useAnswer(api.listEnrollments, NOTHING);
	const rows = answer?.enrollments ?? [];
	return (
		<section aria-labelledby="course-title">
			<h2 id="course-title" className="mb-4">
				Email course
			</h2>
			{answer && answer.total > rows.length && (
				<p className="mb-3 text-muted">
					The newest {rows.length} of {formatCount(answer.total)}.
				</p>
			)}
			<DataTable
				{...state}
				label="Enrollments"
				columns={ENROLLMENT}
				page={answer && { rows, total: rows.length, page: 1, pageSize: Math.max(1, rows.length) }}
				onRetry={state.reload}
				onPage={() => {}}
				idOf={({ email }) => email}
				empty={<p>Nobody is enrolled yet.</p>}
			/>
		</section>
	);
}
