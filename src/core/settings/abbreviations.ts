import { stemOf, wordsOf } from '#src/lib/stems.ts';

/** Limits of the list: characters, lines, and words per name. */
const MAX_CHARACTERS = 20_000;
const MAX_LINES = 500;
const MAX_WORDS = 6;

/** The default list. */
export const DEFAULT_ABBREVIATIONS = `# Names for the same thing: whoever searches for one finds the others.
AI = artificial intelligence
ANN = approximate nearest neighbor
API = application programming interface
AUC = area under the curve
BPE = byte pair encoding
CI = confidence interval
CNN = convolutional neural network, convnet
CoT = chain of thought
dataset = data set
DP = differential privacy
ECE = expected calibration error
EDA = exploratory data analysis
eval = evaluation
fp16 = float16, half precision, 16-bit, 16 bits
fp32 = float32, single precision, 32-bit, 32 bits
FPR = false positive rate, false alarm rate
GAN = generative adversarial network
GBM = gradient boosting machine
GDPR = general data protection regulation
GPU = graphics processing unit
GRPO = group relative policy optimization
HITL = human in the loop
holdout = held-out, hold-out
IAA = inter-annotator agreement, inter-rater agreement
IK = inverse kinematics
int8 = 8-bit, 8 bits
IoU = intersection over union
IR = information retrieval
k8s = Kubernetes
KL = Kullback-Leibler
KNN = k-nearest neighbors
KS = Kolmogorov-Smirnov
labeler = annotator, rater
labeling = annotation
LLM = large language model
LLM judge = LLM-as-a-judge, model as judge
LoRA = low-rank adaptation
LSTM = long short-term memory
MAE = mean absolute error
mAP = mean average precision
MCP = model context protocol
MIA = membership inference
ML = machine learning
MLP = multilayer perceptron
MoE = mixture of experts
MSE = mean squared error
neural network = neural net
NLP = natural language processing
NMS = non-maximum suppression
OCR = optical character recognition
PCA = principal component analysis
PEFT = parameter-efficient fine-tuning
PID = proportional integral derivative
PII = personally identifiable information, personal data
PPO = proximal policy optimization
PPV = positive predictive value
PSI = population stability index
pull request = merge request
RAG = retrieval-augmented generation
rerank = re-rank, reranker, reranking
ReLU = rectified linear unit
RL = reinforcement learning
RLHF = reinforcement learning from human feedback
RLVR = reinforcement learning with verifiable rewards
RMSE = root mean squared error
RNN = recurrent neural network
ROC = receiver operating characteristic
SAE = sparse autoencoder
SGD = stochastic gradient descent
SLO = service level objective
SVD = singular value decomposition
SVM = support vector machine
TF-IDF = term frequency-inverse document frequency
TPR = true positive rate
VLM = vision language model
VRAM = GPU memory, video memory

# What a search for the first word looks for besides, with less weight.
A/B test > canary, experiment, confidence interval
anonymize > privacy
bias > fairness
CNN > convolution
concept drift > drift
confidence interval > error bars, margin of error
covariate shift > drift
CV > cross-validation, computer vision
distribution shift > drift
embedding > vector
error bars > confidence interval
eval set > test set, validation set
function calling > constrained decoding, grammar
GDPR > privacy
hallucination > retrieval, grounding, judge
imbalance > rare, prevalence, base rate
imbalanced > rare, prevalence, base rate
jailbreak > prompt injection
k8s > deployment, capacity, serving
latency > response time
LightGBM > boosting
LoRA > fine-tuning
margin of error > confidence interval
model stealing > model extraction, copy a model
outlier > anomaly
p-value > significance, hypothesis test, confidence interval
pathfinding > planner, shortest path
PEFT > LoRA, adapter
precision > positive predictive value
pull request > code review
quantile > percentile
RAG > retrieval
recall > sensitivity, true positive rate
response time > latency
rollout > canary, deployment
structured output > grammar, constrained decoding
tokenizer > byte pair encoding
vector database > embeddings, retrieval
XGBoost > boosting`;

/** Alternatives for a name: the same thing, and related things with less weight. */
export type Names = { same: string[]; near: string[] };
/** Alternatives by the stems of a name's words. */
export type Abbreviations = ReadonlyMap<string, Names>;

/** Returns the key of a name, which is the same for all of its forms. */
export const abbreviationKey = (words: readonly string[]) => words.map(stemOf).join(' ');

/** Returns the first line that cannot be parsed, with the reason, or undefined. */
export function abbreviationsProblem(text: string): string | undefined {
	if (text.length > MAX_CHARACTERS) return 'Use 20,000 characters or fewer';
	const lines = text.split('\n');
	if (lines.length > MAX_LINES) return `Use ${MAX_LINES} lines or fewer`;
	for (const [index, line] of lines.entries()) {
		const problem = lineProblem(line.trim());
		if (problem) return `Line ${index + 1}: ${problem}`;
	}
	return undefined;
}

/** Returns what is wrong with a line. */
export function lineProblem(line: string): string | undefined {
	if (line === '' || line.startsWith('#')) return undefined;
	const sides = line.split(/[=>]/);
	if (sides.length !== 2) {
		return 'write one name, = or >, and others after it, such as RAG = retrieval-augmented generation';
	}
	const [name = '', others = ''] = sides;
	if (name.includes(',')) return 'write one name only before = or >';
	for (const given of [name, ...others.split(',')]) {
		const { length } = wordsOf(given);
		if (length === 0) return 'a name is missing, or has no letter or digit';
		if (length > MAX_WORDS) return `“${given.trim()}” has more than ${MAX_WORDS} words`;
	}
	return undefined;
}

let lastParsed: { text: string; read: Abbreviations } | undefined;

/** Parses the list. Lines that cannot be parsed are ignored. */
export function parseAbbreviations(text: string): Abbreviations {
	if (lastParsed?.text === text) return lastParsed.read;
	const read = new Map<string, Names>();
	const namesFor = (name: string) => {
		const key = abbreviationKey(wordsOf(name.toLowerCase()));
		const names = read.get(key) ?? { same: [], near: [] };
		read.set(key, names);
		return names;
	};
	for (const line of text.split('\n').map((one) => one.trim())) {
		if (line === '' || line.startsWith('#') || lineProblem(line)) continue;
		const [name = '', others = ''] = line.split(/[=>]/);
		const list = others.split(',').map((one) => wordsOf(one.toLowerCase()).join(' '));
		if (line.includes('>')) namesFor(name).near.push(...list);
		else {
			const all = [wordsOf(name.toLowerCase()).join(' '), ...list];
			for (const one of all) namesFor(one).same.push(...all.filter((other) => other !== one));
		}
	}
	lastParsed = { text, read };
	return read;
}
